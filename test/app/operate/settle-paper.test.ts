import { afterEach, expect, it } from 'vitest';
import { settlePaper } from '../../../src/app/operate/settle-paper.ts';
import { TouchlineError } from '../../../src/domain/errors.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import type { AdminControls } from '../../../src/ops/commands/controls.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { adminServing } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const RESULT = {
  sport: sport('fb'),
  eventId: eventId('2026-03-01,1,2'),
  told: { kind: 'score', home: 2, away: 1 },
} as const;

async function told(settle: AdminControls['settlePaper']): ReturnType<typeof settlePaper> {
  const server = await adminServing({ settlePaper: settle });
  servers.push(server);
  const config = (): never => {
    throw new Error('a running daemon is told without the configuration');
  };
  return settlePaper({ config, url: server.url }, { ...RESULT, note: 'the page' });
}

it('tells a running daemon the result, and returns the bet types that it settled', async () => {
  const heard: unknown[] = [];
  const answer = await told((...args) => (heard.push(args), { settles: ['for,h'] }));
  expect(answer).toEqual({ by: 'daemon', betTypes: ['for,h'] });
  expect(heard).toEqual([
    [{ ...RESULT, note: 'the page', beforeStart: false }, expect.stringContaining('control token')],
  ]);
});

it('rejects with the words of a daemon that refuses, and writes into no journal', async () => {
  const refused = told(() => {
    throw new TouchlineError('refused', 'no paper bets on this event');
  });
  await expect(refused).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('no paper bets on this event') as string,
  });
});
