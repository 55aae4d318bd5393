// Ownership of what must be released. Leaves to callers what releasing means.

export interface Disposable {
  dispose(): void;
}

/** Owns disposables and releases them in reverse order. What is added after disposal is released at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items.splice(0).reverse()) item.dispose();
  }
}

export function toDisposable(dispose: () => void): Disposable {
  return { dispose };
}
