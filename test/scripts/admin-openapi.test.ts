import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { adminOpenapi } from '../../scripts/admin-openapi.ts';

it('docs/reference/admin-openapi.json describes the interface (node scripts/admin-openapi.ts writes it)', async () => {
  const file = readFileSync(new URL('../../docs/reference/admin-openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(file) as { paths: Record<string, unknown> };
  expect(Object.keys(paths).sort()).toEqual([
    '/adjust',
    '/alerts',
    '/close',
    '/codes',
    '/codes/{id}',
    '/days',
    '/deposit',
    '/fills',
    '/hedge',
    '/hedge/progress',
    '/kill',
    '/live',
    '/live/now',
    '/log',
    '/openapi.json',
    '/orders',
    '/paper/settle',
    '/parameters',
    '/parameters/preview',
    '/pause',
    '/payoff',
    '/profits',
    '/quote',
    '/quote/move',
    '/quote/withdraw',
    '/quotes',
    '/reconcile',
    '/resume',
    '/risk',
    '/see',
    '/session',
    '/state',
    '/status',
    '/timeline',
    '/why',
  ]);
  expect(await adminOpenapi()).toBe(file);
});
