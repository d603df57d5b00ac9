import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/**
 * Frames for one client, in order. The socket gets no more than it takes at once. Therefore a close frame waits behind
 * little, and waiting frames can be dropped without cutting one.
 */
export class OutboundQueue {
  readonly #webSocket: WebSocket;
  readonly #roomBytes: number;
  /** The next frame is the last of `#leaving`; when that is empty, the first of `#waiting`. */
  #leaving: string[] = [];
  #waiting: string[] = [];
  #waitingBytes = 0;
  #isShut = false;
  #whenEmpty: (() => void) | null = null;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#roomBytes = socket.writableHighWaterMark;
    socket.on('drain', () => this.#pump());
  }

  /** Bytes that the network has not taken yet. */
  get bufferedBytes(): number {
    return this.#waitingBytes + this.#webSocket.bufferedAmount;
  }

  push(text: string): void {
    if (this.#isShut) return;
    if (this.#isEmpty() && this.#hasRoom()) return this.#webSocket.send(text);
    this.#waiting.push(text);
    this.#waitingBytes += Buffer.byteLength(text, 'utf8');
  }

  /** Accepts no more frames, and calls back when all have been sent. */
  end(whenEmpty: () => void): void {
    this.#isShut = true;
    this.#whenEmpty = whenEmpty;
    this.#pump();
  }

  /** Accepts no more frames, and drops the waiting ones. */
  shut(): void {
    this.#isShut = true;
    this.#leaving = [];
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #pump(): void {
    while (!this.#isEmpty() && this.#hasRoom()) this.#webSocket.send(this.#take());
    if (!this.#isEmpty()) return;
    this.#whenEmpty?.();
    this.#whenEmpty = null;
  }

  #take(): string {
    if (this.#leaving.length === 0) {
      this.#leaving = this.#waiting.reverse();
      this.#waiting = [];
    }
    const text = this.#leaving.pop() ?? '';
    this.#waitingBytes -= Buffer.byteLength(text, 'utf8');
    return text;
  }

  #isEmpty(): boolean {
    return this.#leaving.length + this.#waiting.length === 0;
  }

  #hasRoom(): boolean {
    return this.#webSocket.bufferedAmount < this.#roomBytes;
  }
}
