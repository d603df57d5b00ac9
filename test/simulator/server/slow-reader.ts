import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A frame of the server as it travels. */
export interface WireFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

const HEADERS = [
  'Host: exchange',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];
const END_OF_HEAD = '\r\n\r\n';
const CLOSE = 8;
const TICK_MS = 10;

/** A stream client that controls its socket: it reads on request, and only this many bytes at a time. */
export class SlowReader {
  readonly frames: WireFrame[] = [];
  readonly #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
  }

  /** Shakes hands, and reads nothing more. */
  static async open(url: string): Promise<SlowReader> {
    const { hostname, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), hostname);
    const reader = new SlowReader(socket);
    socket.write([`GET ${pathname}${search} HTTP/1.1`, ...HEADERS].join('\r\n') + END_OF_HEAD);
    await once(socket, 'readable');
    const bytes = socket.read() as Buffer;
    const end = bytes.indexOf(END_OF_HEAD);
    if (!bytes.toString('latin1').startsWith('HTTP/1.1 101 ') || end === -1) throw new Error('was refused');
    reader.#unread = bytes.subarray(end + END_OF_HEAD.length);
    return reader;
  }

  /** Sends a text frame; its mask changes nothing. */
  say(text: string): void {
    const payload = Buffer.from(text, 'utf8');
    const head = Buffer.alloc(14);
    head.writeUInt8(0x81, 0);
    head.writeUInt8(0x80 | 127, 1);
    head.writeBigUInt64BE(BigInt(payload.length), 2);
    this.#socket.write(Buffer.concat([head, payload]));
  }

  /** Texts of the whole frames so far. */
  texts(): string[] {
    return this.frames.filter(({ opcode }) => opcode === 1).map(({ payload }) => payload.toString('utf8'));
  }

  /** Reads on until the connection is closed. Returns the code of the close frame; null for an end without one. */
  async readToEnd(bytesPerTick: number): Promise<number | null> {
    while (this.#closeCode() === null && !this.#socket.readableEnded && !this.#socket.destroyed) {
      this.#take(this.#socket.read(Math.min(bytesPerTick, this.#socket.readableLength)) as Buffer | null);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    this.#socket.destroy();
    return this.#closeCode();
  }

  #closeCode(): number | null {
    const last = this.frames.at(-1);
    return last?.opcode === CLOSE ? last.payload.readUInt16BE(0) : null;
  }

  #take(bytes: Buffer | null): void {
    if (bytes !== null) this.#unread = Buffer.concat([this.#unread, bytes]);
    for (let frame = this.#next(); frame !== null; frame = this.#next()) this.frames.push(frame);
  }

  /** The next whole frame. */
  #next(): WireFrame | null {
    const bytes = this.#unread;
    const short = (bytes[1] ?? 0) & 0x7f;
    const start = { 126: 4, 127: 10 }[short] ?? 2;
    if (bytes.length < start) return null;
    const length = lengthOf(bytes, short);
    if (bytes.length < start + length) return null;
    this.#unread = bytes.subarray(start + length);
    return { opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(start, start + length) };
  }
}

function lengthOf(bytes: Buffer, short: number): number {
  if (short === 127) return Number(bytes.readBigUInt64BE(2));
  return short === 126 ? bytes.readUInt16BE(2) : short;
}
