// Which version of which file the model has seen in this session: nothing is edited unseen.

export class ReadRecords {
  private readonly versions = new Map<string, string | undefined>();

  /** `version` undefined: it was seen, but in an earlier window, so the text may be another by now. */
  remember(realUri: string, version: string | undefined): void {
    this.versions.set(realUri, version);
  }

  state(realUri: string, version: string): "unread" | "stale" | "current" {
    if (!this.versions.has(realUri)) return "unread";
    return this.versions.get(realUri) === version ? "current" : "stale";
  }
}
