import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** How much of an oversized body is read and thrown away, so that the client gets to see the refusal. */
const DISCARDED_BYTES = 64 * 1024 * 1024;

/** Stands for bytes that are no UTF-8: whoever reads it as JSON finds that it is none. */
const NO_TEXT = '\uFFFD';

/** Calls back with the body as text, or with null as soon as it exceeds `maxBytes`; never when the client went away. */
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
