import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Bytes of an oversized body that are read and discarded, so that the client sees the refusal. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** Replaces a body that is not UTF-8. The JSON parser then refuses it. */
const NO_TEXT = '\uFFFD';

/** Calls back with the body as text, or with null as soon as it exceeds `maxBytes`; never after a disconnect. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: string | null) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    const before = bytes;
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (before <= maxBytes) done(null);
    if (bytes > DISCARDED_BYTES) request.destroy();
  });
  request.on('end', () => {
    if (bytes > maxBytes) return;
    const body = Buffer.concat(chunks);
    done(isUtf8(body) ? body.toString('utf8') : NO_TEXT);
  });
}
