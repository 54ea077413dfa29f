import { hash } from "node:crypto";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** One that waits for a minute, and does little else. */
const LONGEST = /\/instances\/frozen/;

/** What takes long: browsers, processes that are started and killed, whole conformance runs. */
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
    const projects = this.ctx.projects.map(({ name }) => name);
    const place = ({ moduleId, project }: TestSpecification) => {
      const turn = LONGEST.test(moduleId) ? 0 : 1 + projects.indexOf(project.name);
      const found = SLOW.findIndex((slow) => slow.test(moduleId));
      const rank = found === -1 ? SLOW.length : found;
      return `${turn} ${rank} ${hash("sha256", `${seed} ${moduleId}`)}`;
    };
    return files
      .map((file) => ({ file, at: place(file) }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ file }) => file);
  }
}
