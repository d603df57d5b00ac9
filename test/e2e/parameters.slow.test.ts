import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, endBoth, makePlace, runAt, tokenAt } from '../support/place.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

interface Parameters {
  readonly where: string;
  readonly strategies: readonly {
    readonly parameters: readonly {
      readonly name: string;
      readonly value: unknown;
      readonly isOverridden: boolean;
    }[];
  }[];
}

async function asked(admin: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${tokenAt(admin)}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(admin + path, { headers, ...sent });
  return { status: answer.status, body: await answer.json() };
}

async function stakeAt(admin: string) {
  const { strategies } = (await asked(admin, '/parameters')).body as Parameters;
  const found = strategies[0]?.parameters.find(({ name }) => name === 'stake');
  return found === undefined ? null : { value: found.value, isOverridden: found.isOverridden };
}

it('keeps a changed parameter over reloads and restarts, until a start drops it', async () => {
  const place = await makePlace(folder, 'parameters');
  const first = runAt(place);
  const admin = await adminOf(first);
  await first.until(/order live/);
  const before = await stakeAt(admin);
  const change = { strategy: 'symmetric', parameters: { stake: 3 }, reason: 'small', by: 'anna' };
  expect(await asked(admin, '/parameters', { ...change, parameters: { stake: -3 } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('stake = -3') },
  });
  expect((await asked(admin, '/parameters', change)).status).toBe(200);
  await first.until(/"logEvent":"parameters_changed","by":"anna \(control token, 127\.0\.0\.1\): small"/);
  const changed = { value: 3, isOverridden: true };
  expect(await stakeAt(admin)).toEqual(changed);
  const { where } = (await asked(admin, '/parameters')).body as Parameters;
  expect(readFileSync(where, 'utf8')).toContain('[symmetric]\nstake = 3');
  expect(statSync(where).mode & 0o777).toBe(0o600);

  const mark = first.written();
  first.kill('SIGHUP');
  await first.until(/nothing to change/, mark);
  expect(await stakeAt(admin)).toEqual(changed);
  first.kill('SIGTERM');
  await first.exit;

  const second = runAt(place);
  expect(await stakeAt(await adminOf(second))).toEqual(changed);
  second.kill('SIGTERM');
  await second.exit;

  const third = runAt({ ...place, options: [...place.options, '--reset'] });
  expect(await stakeAt(await adminOf(third))).toEqual({ ...before, isOverridden: false });
  expect(existsSync(where)).toBe(false);
  await endBoth(place, third);
});
