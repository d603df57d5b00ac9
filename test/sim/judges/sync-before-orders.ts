import { isCreate } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** 18: nothing is placed on a connection before its sync. */
export const syncedFirst: MakeJudgement = ({ fail }) => ({
  onSent(sent, { received }) {
    if (isCreate(sent) && received.syncedMs === -Infinity)
      fail('18 sync first', `a create left, the stream of ${received.connectedMs / 1000} s has not synced`);
  },
});
