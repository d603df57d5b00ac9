import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Feed } from '../../src/simulator/core/api.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { SlowReader } from '../simulator/server/slow-reader.ts';
import { patient } from '../support/patience.ts';
import type { Entry, Wire } from './support/client.ts';
import { exchange, type ServedExchange } from './support/exchange.ts';
import { KEY } from './support/names.ts';

describe('connections', () => {
  it(
    'of a slow reader end with 1008, after whole frames',
    async () => {
      const ex = await exchange();
      const reader = await SlowReader.open(`${ex.simulator.stream}?api_key=${KEY}`);
      for (let i = 0; i < 200; i++) reader.say(JSON.stringify(['echo', i, 'x'.repeat(200_000)]));
      await expect.poll(() => ex.simulator.host.openStreams).toBe(0);
      await ex.pass(5);
      expect(await reader.readToEnd(65_536)).toBe(1008);
      const entries = reader.texts().flatMap((text) => (JSON.parse(text) as Wire).data);
      const echoes = entries
        .filter(([tag]: Entry) => tag === 'response')
        .map(([, { data }]: Entry) => data[0]);
      expect(echoes.length).toBeLessThan(200);
      expect(echoes).toEqual(echoes.map((_: unknown, i: number) => i));
    },
    patient(30_000),
  );

  it('of a client that stopped reading end with a TCP close', async () => {
    const ex = await exchange();
    const socket = await pausedReader(ex);
    floodStreams(ex);
    expect(ex.simulator.host.openStreams).toBe(0);
    await ex.pass(61);
    socket.resume();
    expect(await once(socket, 'close')).toEqual([1006, expect.anything()]);
  });

  it('end without a close frame on an internal error, and leave the others open', async () => {
    const feed = new BrittleFeed();
    const ex = await exchange({ feeds: [feed] });
    const anna = ex.client();
    const [stream, bystander] = [await anna.stream(), await anna.stream()];
    feed.breakAt(ex.nowMs());
    stream.socket.send('["echo",1]');
    expect(await stream.closed()).toBe(1006);
    expect(stream.all('response')).toEqual([]);
    expect(await bystander.command('echo', 2)).toMatchObject({ status: 'ok' });
    expect(await (await anna.stream()).register()).toMatchObject({ status: 'ok' });
  });

  it('end without a close frame by the fault raw_close', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    ex.simulator.host.addFault(faultSchema.parse({ target: 'stream', fault: 'raw_close' }));
    expect(await stream.closed()).toBe(1006);
  });

  it('are reopened by the client: sync, then registrations again', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const first = await anna.stream();
    await first.register();
    ex.simulator.host.dropStreams();
    expect(await first.closed()).toBe(1006);
    const second = await anna.stream();
    expect(second.all('event')).toHaveLength(1);
    await second.register();
    expect(second.all('offer')).toHaveLength(4);
  });
});

/** A client that has stopped to read after its first frame. */
async function pausedReader(ex: ServedExchange): Promise<WebSocket> {
  const socket = new WebSocket(`${ex.simulator.stream}?api_key=${KEY}`);
  socket.on('error', () => undefined);
  await once(socket, 'message');
  socket.pause();
  return socket;
}

/** Sends a client more than the exchange keeps for a connection. */
function floodStreams(ex: ServedExchange): void {
  ex.simulator.host.addFault(faultSchema.parse({ target: 'stream', fault: 'huge_frame', bytes: 40_000_000 }));
}

/** A feed with a bug: the exchange fails once in whatever asks for the next step. */
class BrittleFeed implements Feed {
  #dueMs: number | null = null;

  start(): void {
    // The market starts empty.
  }

  nextDueMs(): number | null {
    return this.#dueMs;
  }

  advance(): void {
    this.#dueMs = null;
    throw new Error('a bug of the feed');
  }

  breakAt(dueMs: number): void {
    this.#dueMs = dueMs;
  }
}
