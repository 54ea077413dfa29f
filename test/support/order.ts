import { hash } from "node:crypto";
import { matchesGlob, relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { SLOW } from "./engines.ts";

/**
 * In the seed's order, but the slow files first: begun last, one of them would run alone at the end.
 * And project by project: a worker that changes projects is replaced, and imports everything anew.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed, root } = { ...this.ctx.config.sequence, root: this.ctx.config.root };
    const projects = this.ctx.projects.map(({ name }) => name);
    const place = ({ moduleId, project }: TestSpecification) => {
      const path = relative(root, moduleId);
      const found = SLOW.findIndex((glob) => matchesGlob(path, glob));
      const rank = String(found === -1 ? SLOW.length : found).padStart(2, "0");
      // The one that waits for a minute and does little else begins before everything.
      const turn = found === 0 ? 0 : 1 + projects.indexOf(project.name);
      return `${turn} ${rank} ${hash("sha256", `${seed} ${moduleId}`)}`;
    };
    return files
      .map((file) => ({ file, at: place(file) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ file }) => file);
  }
}
