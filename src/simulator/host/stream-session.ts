/** The shell's end of one stream connection. */
export interface Link {
  send(text: string): void;
  /** Sends the first part of a frame and ends the connection. */
  cut(text: string): void;
  /** Ends the connection: with a close frame, or (`code` null) without one. */
  close(code: number | null, reason: string): void;
}

export interface SessionHooks {
  receive(text: string): void;
  /** Called once, when either side ended the connection. */
  ended(): void;
}

type Act = () => void;

/**
 * One stream connection between the exchange and a shell. What the exchange says before the shell has its socket
 * waits for `attach`; nothing is said after the end. A frozen session is half-open: both directions are silent.
 */
export class StreamSession {
  readonly #hooks: SessionHooks;
  #link: Link | null = null;
  #waiting: Act[] = [];
  #frozen: 'holding' | 'dropping' | null = null;
  /** Freezes that have not ended: they may overlap. */
  #freezes = 0;
  #ended = false;

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
  }

  /** Gives the session its socket; what waited goes out at once. */
  attach(link: Link): void {
    this.#link = link;
    this.#flush();
  }

  send(text: string): void {
    if (!this.#ended) this.#act(() => this.#link?.send(text));
  }

  /** Ends the connection in the middle of a frame. */
  cut(text: string): void {
    this.#finish(() => this.#link?.cut(text));
  }

  /** The exchange's side ends it. */
  close(code: number | null, reason: string): void {
    if (code === null && this.#frozen !== null) this.#forget();
    this.#finish(() => this.#link?.close(code, reason));
  }

  /** A text frame of the client. */
  receive(text: string): void {
    this.#act(() => {
      if (!this.#ended) this.#hooks.receive(text);
    });
  }

  /** The connection is gone. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hooks.ended();
  }

  /** From now on nothing passes, in either direction: it is held, or lost. What one freeze loses, another cannot hold. */
  freeze(hold: boolean): void {
    this.#freezes += 1;
    if (this.#frozen !== 'dropping') this.#frozen = hold ? 'holding' : 'dropping';
  }

  /** The end of the last `freeze`: what was held passes; a connection that lost something proves dead. */
  thaw(): void {
    if (this.#frozen === null) return;
    this.#freezes -= 1;
    if (this.#freezes > 0) return;
    if (this.#frozen === 'holding') {
      this.#frozen = null;
      this.#flush();
    } else {
      this.#forget();
      if (this.#ended) this.#link?.close(null, '');
      else this.close(null, '');
    }
  }

  #forget(): void {
    this.#frozen = null;
    this.#freezes = 0;
    this.#waiting = [];
  }

  /** Acts in order: behind whatever still waits. */
  #act(act: Act): void {
    if (this.#frozen === 'dropping') return;
    this.#waiting.push(act);
    this.#flush();
  }

  #flush(): void {
    while (this.#link !== null && this.#frozen === null) {
      const act = this.#waiting.shift();
      if (act === undefined) return;
      act();
    }
  }

  #finish(last: Act): void {
    if (this.#ended) return;
    this.#act(last);
    this.end();
  }
}
