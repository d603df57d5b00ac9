/** The shell's end of one stream connection. */
export interface Link {
  send(text: string): void;
  /** Sends the first part of a frame and ends the connection. */
  cut(text: string): void;
  /** Ends the connection: with a close frame, or (`code` null) without one. */
  close(code: number | null, reason: string): void;
}

type Act = () => void;

/**
 * A stream connection between the exchange and a shell. Frames that the exchange sends before the shell has its socket
 * wait for `attach`. Nothing is sent after the end. A frozen session is half-open: both directions are silent.
 */
export class StreamSession {
  readonly #received: (text: string) => void;
  readonly #ended: () => void;
  #link: Link | null = null;
  #waiting: Act[] = [];
  #frozen: 'holding' | 'dropping' | null = null;
  /** Number of freezes that have not ended; they may overlap. */
  #freezes = 0;
  #isOver = false;

  /** `ended` is called once, when either side ended the connection. */
  constructor(received: (text: string) => void, ended: () => void) {
    [this.#received, this.#ended] = [received, ended];
  }

  /** Gives the session its socket, and sends the waiting frames at once. */
  attach(link: Link): void {
    this.#link = link;
    this.#flush();
  }

  send(text: string): void {
    if (!this.#isOver) this.#act(() => this.#link?.send(text));
  }

  /** Ends the connection in the middle of a frame. */
  cut(text: string): void {
    this.#finish(() => this.#link?.cut(text));
  }

  /** Ends the connection from the exchange's side. */
  close(code: number | null, reason: string): void {
    if (code === null && this.#frozen !== null) this.#forget();
    this.#finish(() => this.#link?.close(code, reason));
  }

  /** Passes on a text frame of the client. */
  receive(text: string): void {
    this.#act(() => {
      if (!this.#isOver) this.#received(text);
    });
  }

  /** Ends the session, because the connection has ended. Idempotent. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended();
  }

  /** Holds all frames of both directions, or drops them. When freezes overlap, dropping prevails over holding. */
  freeze(hold: boolean): void {
    this.#freezes += 1;
    if (this.#frozen !== 'dropping') this.#frozen = hold ? 'holding' : 'dropping';
  }

  /** Ends one `freeze`. After the last, held frames pass; a connection that dropped frames proves dead. */
  thaw(): void {
    if (this.#frozen === null) return;
    this.#freezes -= 1;
    if (this.#freezes > 0) return;
    if (this.#frozen === 'holding') {
      this.#frozen = null;
      this.#flush();
    } else {
      this.#forget();
      if (this.#isOver) this.#link?.close(null, '');
      else this.close(null, '');
    }
  }

  #forget(): void {
    this.#frozen = null;
    this.#freezes = 0;
    this.#waiting = [];
  }

  /** Acts in order, after everything that still waits. */
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
    if (this.#isOver) return;
    this.#act(last);
    this.end();
  }
}
