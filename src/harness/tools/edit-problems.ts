// The problems of one edit, from the moment before it is applied to what the model is told, as the settings want it.
import type { HarnessPorts } from "../ports.ts";
import { shownPath } from "./paths.ts";
import { problemText } from "./problem-text.ts";
import { ProblemWatch } from "./problem-watch.ts";
import type { ChangedText, ProblemSources } from "./problem-watch.ts";

export interface EditProblemsContext extends Pick<
  HarnessPorts,
  "settings" | "workspace" | "diagnostics" | "clock"
> {
  readonly problemSources: ProblemSources;
}

export class EditProblems {
  private readonly ports: EditProblemsContext;
  private readonly uri: string;
  private watch: ProblemWatch | undefined;

  constructor(ports: EditProblemsContext, uri: string) {
    this.ports = ports;
    this.uri = uri;
  }

  /** Right before the file changes; from the second time on it does nothing. */
  remember(): void {
    const { settings, problemSources } = this.ports;
    if (settings.current().editDiagnostics === "off") return;
    this.watch ??= new ProblemWatch(this.ports, problemSources, this.uri);
  }

  /** None or one text for the model. Waits for language servers where the file was changed. */
  async report(text: ChangedText, signal: AbortSignal): Promise<readonly string[]> {
    const changes = await this.watch?.changes(text, signal);
    const { editDiagnostics } = this.ports.settings.current();
    if (changes === undefined || editDiagnostics === "off") return [];
    const said = problemText(changes, editDiagnostics, (uri) => shownPath(uri, this.ports.workspace));
    return said === undefined ? [] : [said];
  }

  dispose(): void {
    this.watch?.dispose();
  }
}
