/**
 * Three clients, in a process of their own, that register every event and count what they receive. On each line of input
 * this prints the counts since the last. Usage: clients.ts STREAM_ADDRESS
 */
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { EVENTS, eventIdOf } from './market.ts';

const [address] = process.argv.slice(2);
const seen = { frames: 0, offers: 0, bytes: 0, closed: [] as number[] };

function open(key: string): void {
  const socket = new WebSocket(`${address}?api_key=${key}`);
  socket.on('open', () => {
    for (let i = 0; i < EVENTS; i++) socket.send(JSON.stringify(['register_event', 'fb', eventIdOf(i)]));
  });
  socket.on('message', (data: Buffer) => count(data));
  socket.on('close', (code) => seen.closed.push(code));
}

function count(data: Buffer): void {
  const frame = JSON.parse(data.toString()) as { data: readonly (readonly [string, unknown])[] };
  seen.frames++;
  seen.bytes += data.length;
  for (const [tag] of frame.data) if (tag === 'offer') seen.offers++;
}

for (const key of ['key-1', 'key-2', 'key-3']) open(key);
createInterface(process.stdin).on('line', () => {
  console.log(JSON.stringify(seen));
  Object.assign(seen, { frames: 0, offers: 0, bytes: 0 });
});
console.log('ready');
