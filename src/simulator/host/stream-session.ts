/** The shell's end of one stream connection. */
export interface Link {
  send(text: string): void;
  /** Ends the connection: with a close frame, or (`code` null) without one. */
  close(code: number | null, reason: string): void;
}

export interface SessionHooks {
  receive(text: string): void;
  /** Called once, when either side ended the connection. */
  ended(): void;
}

type Pending = (link: Link) => void;

/**
 * One stream connection between the exchange and a shell. What the exchange says before the shell has its socket
 * waits for `attach`; nothing is said after the end.
 */
export class StreamSession {
  readonly #hooks: SessionHooks;
  #link: Link | null = null;
  #waiting: Pending[] = [];
  #ended = false;

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
  }

  /** Gives the session its socket; what waited goes out at once. */
  attach(link: Link): void {
    this.#link = link;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const pending of waiting) pending(link);
  }

  send(text: string): void {
    if (!this.#ended) this.#withLink((link) => link.send(text));
  }

  /** The exchange's side ends it. */
  close(code: number | null, reason: string): void {
    if (this.#ended) return;
    this.#withLink((link) => link.close(code, reason));
    this.end();
  }

  /** A text frame of the client. */
  receive(text: string): void {
    if (!this.#ended) this.#hooks.receive(text);
  }

  /** The connection is gone. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hooks.ended();
  }

  #withLink(act: Pending): void {
    if (this.#link === null) this.#waiting.push(act);
    else act(this.#link);
  }
}
