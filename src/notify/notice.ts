import { type ModeRules, MODES } from '../domain/mode.ts';

/** Everything that is notified. The first seven wake a person. */
export const NOTICE_KINDS = [
  'orders_left_by_crash',
  'order_unknown',
  'not_quoting',
  'killed',
  'loss_near_limit',
  'journal_failed',
  'convention_contradicted',
  'heartbeat_lost',
  'strategy_errors',
  'started',
  'stopped',
  'daily_summary',
  'test',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** `page` wakes a person, `warning` can wait for the morning, `info` needs no action. */
export type Severity = 'page' | 'warning' | 'info';

export interface Notice {
  readonly kind: NoticeKind;
  readonly severity: Severity;
  /** A trouble begins and ends; anything else is an event. */
  readonly phase: 'begin' | 'end' | 'event';
  /** A few words. */
  readonly title: string;
  /** What happened, and what follows for the reader. */
  readonly text: string;
}

/** The run that notifies. */
export interface NotifyingRun {
  readonly runId: string;
  readonly version: string;
  readonly mode: string;
  /** Host and port. */
  readonly exchange: string;
}

/** A notice on its way. Each attempt to deliver it carries the same id. */
export interface Message extends Notice {
  readonly id: string;
  /** Wall-clock milliseconds of the notice, not of the attempt. */
  readonly atMs: number;
  readonly run: NotifyingRun;
  /** Notices that the limits held back since the last message, by kind. */
  readonly suppressed: Readonly<Partial<Record<NoticeKind, number>>>;
}

/** A person who is woken sees at once that no money is at stake. */
const markOf = (mode: string): string =>
  (MODES as Readonly<Record<string, ModeRules>>)[mode]?.colour === 'violet' ? '🟪 PAPER ' : '';

/** A message for people, in a few lines of plain text. */
export function plainTextOf({ severity, phase, title, text, run, atMs, suppressed }: Message): string {
  const head = `${markOf(run.mode)}${phase === 'end' ? 'OVER' : severity.toUpperCase()}`;
  const held = Object.entries(suppressed).map(([kind, times]) => `${times} × ${kind}`);
  return [
    `${head}: ${title}`,
    text,
    ...(held.length === 0 ? [] : [`Held back before this message: ${held.join(', ')}`]),
    `${new Date(atMs).toISOString()}, ${run.mode} on ${run.exchange}, run ${run.runId}, Touchline ${run.version}`,
  ].join('\n');
}
