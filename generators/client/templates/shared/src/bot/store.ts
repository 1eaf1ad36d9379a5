/** A state, for those who want to know when it changes. */
export class Store<State> {
  private readonly listeners = new Set<() => void>();
  private state: State;

  constructor(state: State) {
    this.state = state;
  }

  /** Calls `listener` after each change. Returns a function that stops that. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getState = (): State => this.state;

  protected setState(state: State): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
