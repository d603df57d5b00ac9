/** The load of a full market day: 200 events of 150 offers, each broadcast every 2 s with 5 % of its offers changed. */
import { WebSocketServer, type WebSocket } from 'ws';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { benchRandom, eventIdOf, frameText, nextBroadcast, offersOf } from '../frames.ts';

const EVENTS = 200;
const OFFERS = 150;
const EVERY_MS = 2_000;
const CHANGED = 0.05;

const random = benchRandom('load');
const offers = Array.from({ length: EVENTS }, (_, i) => offersOf(eventIdOf(i), OFFERS, random));
const clients = new Set<WebSocket>();

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (client) => {
  clients.add(client);
  client.on('close', () => clients.delete(client));
  client.on('error', () => clients.delete(client));
  client.send('{"ts": 0, "data": [["sync", {}]]}');
});
server.on('listening', () => console.log(String((server.address() as AddressInfo).port)));

/** Events in turn, spread evenly over the interval. */
function broadcast(turn: number): void {
  const index = turn % EVENTS;
  offers[index] = nextBroadcast(offers[index] ?? [], CHANGED, random);
  const text = frameText(offers[index]);
  for (const client of clients) client.send(text);
  systemClock.after(startMs + (turn + 1) * (EVERY_MS / EVENTS) - systemClock.monotonicMs(), () =>
    broadcast(turn + 1),
  );
}

const startMs = systemClock.monotonicMs();
broadcast(0);
