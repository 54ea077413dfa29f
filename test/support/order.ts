import { hash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes longest: browsers, processes that are started and killed, whole conformance runs. */
const SLOW = [
  /\/pages\/browser/,
  /\/journeys\//,
  /\/desk\/journey/,
  /\/instances\//,
  /\/money\/(chaos|crash)/,
  /\/mcp\/(process|conformance)/,
  /\/store\/(crash|move|postgres)/,
  /\/front\/journeys/,
];

/**
 * In the seed's order, but the slow files first: begun last, one of them would run alone at the end.
 * And project by project: a worker that changes projects is replaced, and imports everything anew.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const place = ({ moduleId, project }: TestSpecification) => {
      const found = SLOW.findIndex((slow) => slow.test(moduleId));
      const rank = found === -1 ? SLOW.length : found;
      return `${project.name} ${rank} ${hash("sha256", `${seed} ${moduleId}`)}`;
    };
    return files
      .map((file) => ({ file, at: place(file) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ file }) => file);
  }
}
