import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withLifecycle } from '../../scripts/order-docs.ts';

it('docs/orders.md shows the lifecycle as it is (node scripts/order-docs.ts writes it)', async () => {
  const document = readFileSync(new URL('../../docs/orders.md', import.meta.url), 'utf8');
  expect(document).toContain('stateDiagram-v2');
  expect(await withLifecycle(document)).toBe(document);
});
