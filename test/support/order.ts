import { hash } from "node:crypto";
import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SLOW } from "./engines.ts";

/**
 * In the seed's order, but that no slow file begins near the end: it would run alone at the end. Most
 * of what is slow waits, so it is spread among what computes.
 */
export class SlowFilesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed, root } = { ...this.ctx.config.sequence, root: this.ctx.config.root };
    const place = ({ moduleId }: TestSpecification) => {
      const path = relative(root, moduleId);
      const slow = SLOW.some((glob) => matchesGlob(path, glob));
      const drawn = hash("sha256", `${seed} ${moduleId}`, "buffer").readUInt32BE() / 2 ** 32;
      return drawn * (slow ? 0.7 : 1);
    };
    return files
      .map((file) => ({ file, at: place(file) }))
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }
}
