import { expect, it } from 'vitest';
import { exitCodeOf } from '../../src/app/run/exit-codes.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { CalmDay } from '../support/calm-day.ts';

const faultOf = (fields: object) => faultSchema.parse(fields);

const dayWith = (status: number): CalmDay =>
  new CalmDay({
    faults: [
      faultOf({ target: 'handshake', fault: 'refused_upgrade', status, at: 59, for_s: 5 }),
      faultOf({ target: 'stream', fault: 'raw_close', at: 60 }),
    ],
  });

it('ends the daemon when the stream is refused for good, as when the key is refused', async () => {
  const day = dayWith(401);
  await day.begin();
  const { fatal } = day.run.composed;
  await day.pass(70_000);
  const error: unknown = await Promise.race([fatal, Promise.resolve(null)]);
  expect(error).toMatchObject({ status: 401, message: expect.stringContaining('stream') as string });
  expect(exitCodeOf(error)).toBe(77);
});

it('keeps the daemon running when the stream is refused for a moment', async () => {
  const day = dayWith(503);
  await day.begin();
  await day.pass(70_000);
  await day.until('quoting', () => day.open().length > 1);
  expect(day.run.composed.readModel.reconnects).toBe(1);
});
