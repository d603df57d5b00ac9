import { expect, it } from 'vitest';
import { ADMIN_COMMAND, audited } from '../../../src/app/admin/audit.ts';
import type { HedgeControls } from '../../../src/ops/hedge-controls.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { controlsWith } from '../../support/admin-serving.ts';

it('writes a hedge that was made to the journal, with its author and reason, and no preview', () => {
  const written: unknown[] = [];
  const hedge: HedgeControls = {
    preview: () => ({ plan: 'p' }),
    make: (plan) => (plan === 'p' ? { plan } : null),
    progress: () => null,
  };
  const journal = { append: (records: readonly unknown[]) => void written.push(...records) };
  const controls = audited(controlsWith({ hedge }), journal as never, silentLogger);

  controls.hedge.preview({ event: 'A v B', boundUsdt: 5 });
  controls.hedge.make('unknown', 'x', 'anna');
  expect(written).toEqual([]);

  expect(controls.hedge.make('p', 'a red grid', 'anna')).toEqual({ plan: 'p' });
  expect(written).toEqual([
    { kind: ADMIN_COMMAND, uuid: null, data: { command: 'hedge p', by: 'anna', reason: 'a red grid' } },
  ]);
});
