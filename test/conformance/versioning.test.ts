import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Wire } from './support/client.ts';
import { exchange } from './support/exchange.ts';

describe('versioning', () => {
  it('serves its description as OpenAPI 3.1 of version 0.1.0, without a key', async () => {
    const { simulator } = await exchange();
    const response = await fetch(`${simulator.rest}openapi.json`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } });
  });

  it('serves the same description as YAML', async () => {
    const { simulator } = await exchange();
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((form) =>
        fetch(`${simulator.rest}openapi.${form}`).then((answer) => answer.text()),
      ),
    );
    expect(parse(yaml ?? '')).toEqual(JSON.parse(json ?? ''));
  });

  it('names every path on a line of its own in the YAML, without quotes', async () => {
    const { core, simulator } = await exchange();
    const lines = (await (await fetch(`${simulator.rest}openapi.yaml`)).text()).split('\n');
    const from = lines.indexOf('paths:');
    const to = lines.findIndex((line, at) => at > from && /^\S/.test(line));
    const keys = lines.slice(from + 1, to).filter((line) => /^ {2}\S/.test(line));
    const paths = new Set([...core.endpoints.map(({ path }) => path), '/v2/stream']);
    expect(keys.toSorted()).toEqual([...paths].map((path) => `  ${path}:`).toSorted());
  });

  it('describes every endpoint under the prefix /v2/', async () => {
    const { core, simulator } = await exchange();
    const document = (await (await fetch(`${simulator.rest}openapi.json`)).json()) as Wire;
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = core.endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...served, 'GET /v2/stream'].sort());
    expect(described.every((name) => name.includes(' /v2/'))).toBe(true);
  });

  it('names every operation of its description once', async () => {
    const { simulator } = await exchange();
    const document = (await (await fetch(`${simulator.rest}openapi.json`)).json()) as Wire;
    const names = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations as object))
      .map((operation: Wire) => operation.operationId);
    expect(names).toContain('post_orders_by_order_id_close');
    expect(names.every((name) => /^(get|post|delete)(_[a-z]+)+$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });

  it('answers every path behind the prefix /magic-api too', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const plain = ['/v2/xrates/', '/v2/balance/', '/v2/orders/?page=1', '/v2/openapi.json', '/v2/nothing/'];
    for (const path of plain) {
      const [without, behind] = [await anna.fetch('GET', path), await anna.fetch('GET', `/magic-api${path}`)];
      expect(behind.status).toBe(without.status);
      expect(await behind.text()).toBe(await without.text());
    }
  });
});
