// A synchronous event with isolated listeners: one that throws changes nothing for the others.
import type { Disposable } from "./disposable.ts";

/** Registers a listener until the returned disposable is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();
  private readonly onListenerError: (error: unknown) => void;

  /** `onListenerError` receives what a listener throws; the default drops it, since `fire` must not fail. */
  constructor(onListenerError: (error: unknown) => void = () => undefined) {
    this.onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
