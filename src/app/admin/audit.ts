import { toldInWords } from '../../domain/bet-types/result.ts';
import { reasonOf } from '../../lib/reason.ts';
import type {
  AdjustControls,
  AdjustWish,
  AdminControls,
  Ending,
  HandControls,
  HedgeControls,
} from '../../ops/commands/controls.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';

/** Journal record of an operator's command: what, by whom, and why. */
export const ADMIN_COMMAND = 'admin_command';

/** The same controls. Each command is also written to the log and to the journal, after it has taken effect. */
export function audited(
  controls: AdminControls,
  journal: Pick<Journal, 'append'>,
  logger: Logger,
): AdminControls {
  const note = (command: string, by: string, reason: string): void => {
    logger.info('operator command', { command, by, reason });
    try {
      journal.append([{ kind: ADMIN_COMMAND, uuid: null, data: { command, by, reason } }]);
    } catch (error) {
      // The journal reports its failure itself. A kill must not fail because of it.
      logger.error('an operator command is not in the journal', { command, by, cause: reasonOf(error) });
    }
  };
  return {
    ...controls,
    kill(reason, by) {
      const kill = controls.kill(reason, by);
      note('kill', by, reason);
      return {
        answer: () => kill.answer(),
        explain(words, name) {
          kill.explain(words, name);
          note('explain kill', name, words);
        },
      };
    },
    pause(reason, by) {
      const answer = controls.pause(reason, by);
      note('pause', by, reason);
      return answer;
    },
    close(reason, by) {
      const answer = controls.close(reason, by);
      note('close', by, reason);
      return answer;
    },
    resume(reason, by) {
      const answer = controls.resume(reason, by);
      note('resume', by, reason);
      return answer;
    },
    setState(wish, by) {
      const answer = controls.setState(wish, by);
      const { event, selection, state } = wish;
      const scope = event ?? selection ?? 'account';
      if (answer !== null) note(`state ${state} of ${scope}${endInWords(wish)}`, by, wish.reason);
      return answer;
    },
    see(alert, by) {
      const answer = controls.see(alert, by);
      if (answer !== null) note(`see ${alert}`, by, '');
      return answer;
    },
    hedge: auditedHedges(controls.hedge, note),
    adjust: auditedAdjustments(controls.adjust, note),
    hand: auditedQuotes(controls.hand, note),
    ...auditedMoney(controls, note),
  };
}

type Note = (command: string, by: string, reason: string) => void;

/** Comparisons of the balance, and what explains it. */
const auditedMoney = (
  controls: AdminControls,
  note: Note,
): Pick<AdminControls, 'reconcile' | 'deposit' | 'settlePaper'> => ({
  async reconcile(by) {
    note('reconcile', by, '');
    return controls.reconcile(by);
  },
  deposit(wish, by) {
    const answer = controls.deposit(wish, by);
    note(`deposit ${wish.amountUsdt}`, by, wish.note);
    return answer;
  },
  settlePaper(wish, by) {
    const answer = controls.settlePaper(wish, by);
    note(`paper settle ${wish.sport}/${wish.eventId} ${toldInWords(wish.told)}`, by, wish.note);
    return answer;
  },
});

/** The controls may be of a class, whose methods a spread leaves out: each is named. */
const auditedHedges = (hedge: HedgeControls, note: Note): HedgeControls => ({
  preview: (question) => hedge.preview(question),
  progress: (plan) => hedge.progress(plan),
  make(plan, reason, by) {
    const answer = hedge.make(plan, reason, by);
    if (answer !== null) note(`hedge ${plan}`, by, reason);
    return answer;
  },
});

const auditedAdjustments = (adjustments: AdjustControls, note: Note): AdjustControls => ({
  loosens: (wish) => adjustments.loosens(wish),
  adjust(wish, by) {
    const answer = adjustments.adjust(wish, by);
    if (answer !== null)
      note(`${adjustmentInWords(wish)} of ${wish.event}${endInWords(wish)}`, by, wish.reason);
    return answer;
  },
});

function adjustmentInWords({ leave, stakeFactor, widenTicks }: AdjustWish): string {
  if (leave !== undefined) return leave ? 'leave' : 'end leave';
  return stakeFactor === undefined ? `widen ${widenTicks}` : `stake x ${stakeFactor}`;
}

function endInWords({ minutes, untilStart }: Ending): string {
  if (minutes !== undefined) return ` for ${minutes} min`;
  return untilStart === true ? ' until the start' : '';
}

const auditedQuotes = (hand: HandControls, note: Note): HandControls => ({
  quotes: () => hand.quotes(),
  quote(wish, by) {
    const answer = hand.quote(wish, by);
    const { selection, direction, price, stakeUsdt } = wish;
    const command = `quote ${stakeUsdt} ${direction} ${selection} at ${price}${endInWords(wish)}`;
    if (answer !== null) note(command, by, wish.reason);
    return answer;
  },
  move(id, price, reason, by) {
    const answer = hand.move(id, price, reason, by);
    if (answer !== null) note(`move quote ${id} to ${price}`, by, reason);
    return answer;
  },
  withdraw(id, reason, by) {
    const answer = hand.withdraw(id, reason, by);
    if (answer !== null) note(`withdraw quote ${id}`, by, reason);
    return answer;
  },
});
