import { describe, expect, it } from 'vitest';
import { exchangeEvents, NotLayPrices } from '../../../src/app/research/exchange-tapes.ts';
import { MANIFEST_NAME } from '../../../src/recording/manifest.ts';
import { RecordingWriter, type SessionStart } from '../../../src/recording/writer.ts';
import { memoryFolder } from '../../recording/memory-folder.ts';

/** A frame with the offers of so many selections, for at 3.00 and against at a price. */
function frameOf(count: number, against: number): string {
  const offer = (betType: string, price: number) => [
    'offer',
    {
      sport: 'fb',
      event_id: '2026-01-03,1,2',
      bet_type: betType,
      market_type: 'ou',
      in_running: false,
      price_list: [{ effective: { price, min: null, max: ['USDT', 10] } }],
    },
  ];
  const data = Array.from({ length: count }, (_, at) => [
    offer(`for,over,${at + 1}.5`, 3),
    offer(`against,over,${at + 1}.5`, against),
  ]).flat();
  return JSON.stringify({ ts: 1, data });
}

async function tapesOf(convention: SessionStart['convention'], frames: readonly string[]) {
  const folder = memoryFolder();
  const session: SessionStart = {
    startedWallMs: 0,
    source: 'record',
    program: 'touchline test',
    mode: 'live',
    exchange: '',
    about: {},
    ...(convention === undefined ? {} : { convention }),
  };
  const writer = await RecordingWriter.open(folder, session, { maxBytes: null });
  await writer.append(
    frames.map((frame, at) => ({
      kind: 'frame' as const,
      wallMs: at,
      monotonicMs: at,
      channel: 0,
      events: [],
      payload: Buffer.from(frame, 'utf8'),
    })),
  );
  await writer.close();
  const text = Buffer.from(
    await folder.read(MANIFEST_NAME, 0, (await folder.size(MANIFEST_NAME)) ?? 0),
  ).toString();
  const tapes = [];
  for await (const event of exchangeEvents(folder)) tapes.push(...event.tapes);
  return { tapes: tapes.length, manifest: JSON.parse(text) as { sessions: { convention?: unknown }[] } };
}

const LAY = [frameOf(12, 3.1)];
const ODDS = [frameOf(12, 1.47)];

describe('a recording of an exchange', () => {
  it('of lay prices becomes tapes: by its word, from before there was a word, or by its offers', async () => {
    expect((await tapesOf('lay', LAY)).tapes).toBe(1);
    expect((await tapesOf(undefined, [frameOf(1, 3.1)])).tapes).toBe(1);
    const named = await tapesOf(null, LAY);
    expect([named.tapes, named.manifest.sessions[0]?.convention]).toEqual([1, null]);
  });

  it.each([
    ['odds', [frameOf(1, 1.47)], 'odds, and a backtest reads lay prices'],
    [null, ODDS, 'odds, and a backtest reads lay prices'],
    ['lay', ODDS, 'odds, and a backtest reads lay prices'],
    [undefined, ODDS, 'odds, and a backtest reads lay prices'],
    [null, [frameOf(1, 1.47)], 'does not show whether its against prices are odds or lay prices'],
  ] as const)(
    'of convention %s is refused where its prices are not lay prices',
    async (convention, frames, why) => {
      const read = tapesOf(convention, frames);
      await expect(read).rejects.toBeInstanceOf(NotLayPrices);
      await expect(read).rejects.toThrow(why);
    },
  );
});
