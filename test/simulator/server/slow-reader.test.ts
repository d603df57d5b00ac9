import { describe, expect, it } from 'vitest';
import { patient } from '../../support/patience.ts';
import { SlowReader } from './slow-reader.ts';
import { start } from './support.ts';

const BYTES_PER_TICK = 32_768;
const FRAME = 'x'.repeat(100_000);

/** A client that has read nothing, and the exchange that has `count` frames for it. */
async function readerOf(count: number, more: readonly string[] = []) {
  const { core, simulator } = await start();
  const reader = await SlowReader.open(`${simulator.stream}?api_key=k`);
  const [connection = 0] = core.connections;
  simulator.host.run(() => {
    for (let i = 0; i < count; i++) core.say(connection, `${i} ${FRAME}`);
  });
  for (const text of more) reader.say(text);
  return { core, reader };
}

const numbered = (count: number): string[] => [
  'hello',
  ...Array.from({ length: count }, (_, i) => `${i} ${FRAME}`),
];

describe('a client that reads slowly', () => {
  it(
    'is closed with 1008 after whole frames when too much waits for it',
    async () => {
      const { core, reader } = await readerOf(400);
      expect(core.connections.size).toBe(0);
      expect(await reader.readToEnd(BYTES_PER_TICK)).toBe(1008);
      const texts = reader.texts();
      expect(texts).toEqual(numbered(texts.length - 1));
      expect(texts.length).toBeLessThan(200);
    },
    patient(30_000),
  );

  it(
    'receives everything in order, and then the close of the exchange, when it keeps up',
    async () => {
      const { core, reader } = await readerOf(100, ['leave']);
      expect(core.connections.size).toBe(1);
      expect(await reader.readToEnd(4 * BYTES_PER_TICK)).toBe(1000);
      expect(reader.texts()).toEqual(numbered(100));
    },
    patient(30_000),
  );
});
