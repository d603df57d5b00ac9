/**
 * The shared memory through which the main thread tells the watchdog's thread what it does. A thread that hangs answers no message,
 * so everything that the watchdog needs is written there beforehand.
 */
import { Buffer } from 'node:buffer';
import type { EventName } from '../../domain/events.ts';
import type { EventId, HeartbeatId, Sport } from '../../domain/ids.ts';
import type { CallObserver } from '../../strategy/session.ts';

/** Words of the memory. */
const CALL = 0;
const CREATES = 1;
const DEBUGGED = 2;
const NAME_LENGTH = 3;
const HEARTBEAT_LENGTH = 4;
const HANG_MS = 5;

const WORDS_BYTES = 64;
const NAME_BYTES = 2048;
const HEARTBEAT_BYTES = 512;

/** Calls are counted up to here, then from 0 again. Odd while a call is in progress. */
const CALL_MASK = 0x3fff_ffff;
/** Replaces the number of a call once the watchdog has decided to end the process. */
const DECIDED = -1;

/** Separates the names of a call; no name contains it. */
const BETWEEN = '\u0000';

/** New memory: no call, no create request, no heartbeat. */
export const newCallMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(WORDS_BYTES + NAME_BYTES + HEARTBEAT_BYTES);

const wordsOf = (memory: SharedArrayBuffer): Int32Array => new Int32Array(memory, 0, WORDS_BYTES / 4);

/** A text in shared memory. Longer texts are cut. */
class SharedText {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #lengthAt: number;

  constructor(memory: SharedArrayBuffer, [fromByte, bytes]: readonly [number, number], lengthAt: number) {
    this.#bytes = Buffer.from(memory, fromByte, bytes);
    this.#words = wordsOf(memory);
    this.#lengthAt = lengthAt;
  }

  write(text: string): void {
    Atomics.store(this.#words, this.#lengthAt, this.#bytes.write(text));
  }

  read(): string {
    return this.#bytes.toString('utf8', 0, Atomics.load(this.#words, this.#lengthAt));
  }
}

const nameIn = (memory: SharedArrayBuffer): SharedText =>
  new SharedText(memory, [WORDS_BYTES, NAME_BYTES], NAME_LENGTH);

const heartbeatIn = (memory: SharedArrayBuffer): SharedText =>
  new SharedText(memory, [WORDS_BYTES + NAME_BYTES, HEARTBEAT_BYTES], HEARTBEAT_LENGTH);

/** The main thread's side. It costs half a microsecond for each call. */
export class CallMarks implements CallObserver {
  readonly #hangMsOf: (strategy: string) => number;
  readonly #isDebugged: () => boolean;
  readonly #stop: (words: Int32Array, at: number, whileValue: number) => void;
  readonly #words: Int32Array;
  readonly #name: SharedText;
  readonly #heartbeat: SharedText;
  #call = 0;

  /**
   * `hangMsOf`: a call of the strategy that has not returned for this long hangs. `isDebugged`: whether a person may stop the main
   * thread with a debugger. `stop` stops the main thread for good; it is called when a strategy returns after the watchdog's
   * decision.
   */
  constructor(
    memory: SharedArrayBuffer,
    hangMsOf: (strategy: string) => number,
    isDebugged: () => boolean,
    stop: (words: Int32Array, at: number, whileValue: number) => void,
  ) {
    [this.#hangMsOf, this.#isDebugged, this.#stop] = [hangMsOf, isDebugged, stop];
    this.#words = wordsOf(memory);
    this.#name = nameIn(memory);
    this.#heartbeat = heartbeatIn(memory);
  }

  onCall(strategy: string, { sport, eventId }: EventName): void {
    this.#name.write([sport, eventId, strategy].join(BETWEEN));
    Atomics.store(this.#words, HANG_MS, this.#hangMsOf(strategy));
    Atomics.store(this.#words, DEBUGGED, this.#isDebugged() ? 1 : 0);
    this.#call = (this.#call + 1) & CALL_MASK;
    Atomics.store(this.#words, CALL, this.#call);
  }

  /** Does not return if the watchdog has decided: this thread must send nothing while the watchdog closes the orders. */
  onReturn(): void {
    const inside = this.#call;
    this.#call = (inside + 1) & CALL_MASK;
    const found = Atomics.compareExchange(this.#words, CALL, inside, this.#call);
    if (found === DECIDED) this.#stop(this.#words, CALL, DECIDED);
  }

  /** A create request may leave now. */
  noteCreate(): void {
    Atomics.add(this.#words, CREATES, 1);
  }

  /** The heartbeat that guards this run's orders. */
  noteHeartbeat(id: HeartbeatId): void {
    this.#heartbeat.write(id);
  }
}

/** The work of the main thread at an instant. */
export interface CallReading {
  /** The number of a call in progress; null outside of calls, and during calls that a debugger may stop. */
  readonly call: number | null;
  /** The call hangs once it has lasted this long; without a call, that of the last one. */
  readonly hangMs: number;
  /** Number of create requests so far. */
  readonly creates: number;
}

/** A call of a strategy. */
export interface NamedCall {
  readonly strategy: string;
  readonly event: EventName;
}

/** The watchdog's side. */
export class CallReadings {
  readonly #words: Int32Array;
  readonly #name: SharedText;
  readonly #heartbeat: SharedText;

  constructor(memory: SharedArrayBuffer) {
    this.#words = wordsOf(memory);
    this.#name = nameIn(memory);
    this.#heartbeat = heartbeatIn(memory);
  }

  read(): CallReading {
    const call = Atomics.load(this.#words, CALL);
    const counts = call % 2 === 1 && Atomics.load(this.#words, DEBUGGED) === 0;
    return {
      call: counts ? call : null,
      hangMs: Atomics.load(this.#words, HANG_MS),
      creates: Atomics.load(this.#words, CREATES),
    };
  }

  /** Stops the main thread at the end of this call. Returns false if the call has returned by now. */
  decide(call: number): boolean {
    return Atomics.compareExchange(this.#words, CALL, call, DECIDED) === call;
  }

  /** The call in progress. Reliable once `decide` has returned true. */
  named(): NamedCall {
    const [sport = '', eventId = '', strategy = ''] = this.#name.read().split(BETWEEN);
    return { strategy, event: { sport: sport as Sport, eventId: eventId as EventId } };
  }

  /** Null if no heartbeat was noted. Reliable once `decide` has returned true. */
  heartbeatId(): HeartbeatId | null {
    const id = this.#heartbeat.read();
    return id === '' ? null : (id as HeartbeatId);
  }
}
