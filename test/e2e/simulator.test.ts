import { afterAll, describe, expect, it } from 'vitest';
import { launchExchange, temporaryFolder } from '../support/exchange.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('touchline sim', () => {
  it('serves the exchange, its control and its description until it is stopped', async () => {
    const exchange = await launchExchange();
    const ask = async (url: string) => (await fetch(url, { headers: { 'X-Api-Key': 'test-key' } })).json();
    expect(await ask(`${exchange.rest}xrates/`)).toMatchObject({ status: 'ok' });
    expect(await ask(`${exchange.rest}openapi.json`)).toMatchObject({ openapi: '3.1.0' });
    expect(await ask(`${exchange.control}accounts`)).toMatchObject({ data: [{ account_id: 'account-1' }] });
    exchange.run.kill('SIGTERM');
    expect((await exchange.run.exit).code).toBe(0);
  });

  it('reads customers and faults from files, and limits from flags', async () => {
    const accounts = [{ account_id: 'anna', keys: ['k1', 'k2'], balance: 7 }];
    const faults = [{ target: 'xrates', fault: 'server_error' }];
    const run = touchline([
      'sim',
      '--accounts',
      folder.file('accounts.json', JSON.stringify(accounts)),
      '--faults',
      folder.file('faults.json', JSON.stringify(faults)),
      '--open-betslips',
      '1',
    ]);
    const ready = JSON.parse(/^\{.*\}$/m.exec(await run.until(/^\{.*\}$/m))?.[0] ?? '') as Record<
      string,
      string
    >;
    expect(ready).toMatchObject({ keys: ['k1', 'k2'] });
    const headers = { 'X-Api-Key': 'k2' };
    expect((await fetch(`${ready['rest']}xrates/`, { headers })).status).toBe(500);
    expect(await (await fetch(`${ready['rest']}balance/`, { headers })).json()).toMatchObject({
      data: { balance: ['USDT', 7] },
    });
    run.kill('SIGTERM');
    expect((await run.exit).code).toBe(0);
  });

  it('names the wrong file in one line: 78', async () => {
    const path = folder.file('wrong.json', '[{"target":"rest","fault":"explode"}]');
    const { code, stderr } = await touchline(['sim', '--faults', path]).exit;
    expect([code, stderr.trim().split('\n').length]).toEqual([78, 1]);
    expect(stderr).toContain(path);
  });
});
