import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createExchange } from '../../../src/simulator/core/exchange.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server/start-simulator.ts';

const START_MS = Date.parse('2030-01-02T12:00:00Z');

let simulator: RunningSimulator | null = null;
afterEach(() => simulator?.close());

async function served() {
  const clock = new VirtualClock(START_MS);
  const core = createExchange({
    accounts: [{ accountId: 'one', keys: ['key'], balanceMicros: 1e12 }],
    feeds: [createModelFeed({ seed: 4, speed: 30, events: 2, startWallMs: START_MS })],
    parseBetType,
    random: seededRandom(1, 'ids'),
    startMs: START_MS,
  });
  const running = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
  simulator = running;
  const ask = async (method: string, verb: string, body?: object) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    return ((await (await fetch(`${running.control}${verb}`, init)).json()) as { data: never }).data;
  };
  const football = async () => {
    const events: { sport: string; event_id: string; score: number[]; suspended: boolean }[] = await ask(
      'GET',
      'events',
    );
    return events.find(({ sport }) => sport === 'fb');
  };
  return { clock, core, ask, football };
}

describe('the control interface on the modelled market', () => {
  it('scores goals that remain, suspends until released, and settles for good', async () => {
    const { clock, core, ask, football } = await served();
    const { event_id = '', score = [] } = (await football()) ?? {};
    await ask('POST', 'goal', { sport: 'fb', event_id, side: 'home' });
    await ask('POST', 'goal', { sport: 'fb', event_id, side: 'home' });
    expect((await football())?.score).toEqual([(score[0] ?? 0) + 2, score[1]]);
    await ask('POST', 'suspend', { sport: 'fb', event_id });
    await clock.advance(20_000);
    expect(await football()).toMatchObject({ suspended: true });
    expect((await football())?.score[0]).toBeGreaterThanOrEqual((score[0] ?? 0) + 2);
    await ask('POST', 'resume', { sport: 'fb', event_id });
    expect(await football()).toMatchObject({ suspended: false });
    await ask('POST', 'settle', { sport: 'fb', event_id, home: 9, away: 0 });
    const settles: unknown[] = [];
    const { settle } = core.market;
    core.market.settle = (...args) => {
      settles.push(args[0]);
      settle.apply(core.market, args);
    };
    await clock.advance(240_000);
    expect(settles).not.toContainEqual(expect.objectContaining({ sport: 'fb', eventId: event_id }));
    expect(
      core.inspect().events.find((each) => each.sport === 'fb' && each.eventId === event_id)?.phase,
    ).toBe('settled');
  });
});
