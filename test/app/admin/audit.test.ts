import { expect, it } from 'vitest';
import { ADMIN_COMMAND, audited } from '../../../src/app/admin/audit.ts';
import type { HedgeControls } from '../../../src/ops/hedge-controls.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { controlsWith } from '../../support/admin-serving.ts';

it('writes a hedge that was made to the journal, with its author and reason, and no preview', () => {
  const written: unknown[] = [];
  // As in a daemon: an object of a class, which has its methods from that.
  const hedge = new (class implements HedgeControls {
    preview(): unknown {
      return { plan: 'p' };
    }
    make(plan: string): unknown {
      return plan === 'p' ? { plan } : null;
    }
    progress(plan: string): unknown {
      return { plan, isOver: false };
    }
  })();
  const journal = { append: (records: readonly unknown[]) => void written.push(...records) };
  const controls = audited(controlsWith({ hedge }), journal as never, silentLogger);

  expect(controls.hedge.preview({ event: 'A v B', boundUsdt: 5 })).toEqual({ plan: 'p' });
  expect(controls.hedge.progress('p')).toEqual({ plan: 'p', isOver: false });
  controls.hedge.make('unknown', 'x', 'anna');
  expect(written).toEqual([]);

  expect(controls.hedge.make('p', 'a red grid', 'anna')).toEqual({ plan: 'p' });
  expect(written).toEqual([
    { kind: ADMIN_COMMAND, uuid: null, data: { command: 'hedge p', by: 'anna', reason: 'a red grid' } },
  ]);
});
