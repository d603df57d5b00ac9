import type { Clock, Timer } from '../../src/ports/clock.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { SmallFile } from '../../src/ports/small-file.ts';
import type {
  HttpRequest,
  HttpTransport,
  Socket,
  SocketHandlers,
  SocketTransport,
} from '../../src/ports/transport.ts';

/** The points at which a process crosses its border. Each crossing is a place to die. */
export type Crossing =
  | ('journal' | 'written' | 'journalled' | 'permit' | 'permitted' | 'mark' | 'marked')
  | ('send' | 'sent' | 'answer' | 'frame' | 'timer');

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * The border around one run of the daemon. Everything passes while it is alive, and nothing afterwards, in either
 * direction: its timers never fire, its promises never settle, its sockets are cut. Requests on their way to the
 * exchange arrive all the same.
 */
export class SimProcess {
  readonly #onCrossing: (process: SimProcess, crossing: Crossing) => void;
  readonly #sockets = new Set<Socket>();
  #alive = true;
  /** The loop is stalled until this monotonic instant: timers and arriving data wait. */
  #stalledUntilMs = 0;

  constructor(onCrossing: (process: SimProcess, crossing: Crossing) => void) {
    this.#onCrossing = onCrossing;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Ends the process as kill -9 does. */
  kill(): void {
    this.#alive = false;
    for (const socket of this.#sockets) socket.terminate();
  }

  /** When data that arrives now is read, if not at once. */
  get stalledUntilMs(): number {
    return this.#stalledUntilMs;
  }

  stall(untilMonotonicMs: number): void {
    this.#stalledUntilMs = untilMonotonicMs;
  }

  clock(clock: Clock): Clock {
    const fire = (run: () => void): void => {
      if (!this.#crosses('timer')) return;
      this.#whenAwake(clock, run);
    };
    return {
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, run): Timer => clock.after(delayMs, () => fire(run)),
    };
  }

  http(http: HttpTransport, clock: Clock): HttpTransport {
    return {
      send: async (request: HttpRequest) => {
        if (!this.#crosses('send')) return never();
        const pending = http.send(request);
        // A process that dies now never sees its outcome.
        pending.catch(() => undefined);
        if (!this.#crosses('sent')) return never();
        try {
          const answer = await pending;
          await this.#awake(clock);
          return this.#crosses('answer') ? answer : await never();
        } catch (error) {
          await this.#awake(clock);
          if (!this.#crosses('answer')) return never();
          throw error;
        }
      },
      close: () => Promise.resolve(),
    };
  }

  sockets(sockets: SocketTransport, clock: Clock): SocketTransport {
    const guarded = (run: () => void): void => {
      if (this.#alive) this.#whenAwake(clock, run);
    };
    return {
      open: (query, handlers: SocketHandlers): Socket => {
        if (!this.#alive) return { send: () => undefined, terminate: () => undefined };
        const socket = sockets.open(query, {
          onOpen: () => guarded(() => handlers.onOpen()),
          onMessage: (data) => {
            if (this.#crosses('frame')) guarded(() => handlers.onMessage(data));
          },
          onRefused: (status, body) => guarded(() => handlers.onRefused(status, body)),
          onClose: (code, reason) => guarded(() => handlers.onClose(code, reason)),
        });
        this.#sockets.add(socket);
        return socket;
      },
    };
  }

  journal(journal: Journal): Journal {
    return {
      append: (entries) => {
        if (!this.#crosses('journal')) throw new Error('the process is dead');
        journal.append(entries);
        if (!this.#crosses('journalled')) throw new Error('the process is dead');
      },
      read: (afterSeq) => journal.read(afterSeq),
      ofKind: (kind) => journal.ofKind(kind),
      last: (kind) => journal.last(kind),
      rootSeq: () => journal.rootSeq(),
      forget: (forgetting) => journal.forget(forgetting),
      lastSeq: () => journal.lastSeq(),
      close: () => undefined,
    };
  }

  /** The disk has the journal's writes, and has not synced them. Throws when the process dies there. */
  written(): void {
    if (!this.#crosses('written')) throw new Error('the process is dead');
  }

  file(file: SmallFile, before: Crossing = 'permit', after: Crossing = 'permitted'): SmallFile {
    const passing = (crossing: Crossing): void => {
      if (!this.#crosses(crossing)) throw new Error('the process is dead');
    };
    const changing = (change: () => void): void => {
      passing(before);
      change();
      passing(after);
    };
    return {
      read: () => {
        if (!this.#alive) throw new Error('the process is dead');
        return file.read();
      },
      write: (text) => changing(() => file.write(text)),
      remove: () => changing(() => file.remove()),
    };
  }

  /** Counts the crossing, which may kill the process there. Returns whether it is alive. */
  #crosses(crossing: Crossing): boolean {
    if (this.#alive) this.#onCrossing(this, crossing);
    return this.#alive;
  }

  #whenAwake(clock: Clock, run: () => void): void {
    const waitMs = this.#stalledUntilMs - clock.monotonicMs();
    if (waitMs <= 0) run();
    else clock.after(waitMs, () => void (this.#alive && run()));
  }

  #awake(clock: Clock): Promise<void> {
    return new Promise((resolve) => this.#whenAwake(clock, resolve));
  }
}
