import type { NoticeKind } from '../../notify/notice.ts';
import type { KillRecord } from '../../risk/index.ts';

/** The causes of alerts that cost next to nothing to read. */
export interface CausesNow {
  readonly killed: Pick<KillRecord, 'atMs'> | null;
  readonly journalFailed: boolean;
  readonly isContradicted: boolean;
  readonly isHeartbeatProven: boolean;
}

/** Since when the causes of alerts are there. It is asked far more often than the whole state of a run can be judged. */
export class AlertCauses {
  readonly #sinceMs = new Map<NoticeKind, number>();
  #firstMs: number | null = null;
  #hadHeartbeat = false;
  #hasChanged = false;

  /** `wallMs` is now. */
  look({ killed, journalFailed, isContradicted, isHeartbeatProven }: CausesNow, wallMs: number): void {
    this.#firstMs ??= wallMs;
    this.#hadHeartbeat ||= isHeartbeatProven;
    // A kill of an earlier run alarmed there, too: here it alarms since this run looks.
    const killedMs = killed === null ? null : Math.max(killed.atMs, this.#firstMs);
    const isLost = this.#hadHeartbeat && !isHeartbeatProven && killed === null;
    this.#note('killed', killedMs);
    this.#note('journal_failed', journalFailed ? wallMs : null);
    this.#note('convention_contradicted', isContradicted ? wallMs : null);
    this.#note('heartbeat_lost', isLost ? wallMs : null);
  }

  /** Wall-clock instants of the present causes, by the kind of their alert. */
  get sinceMs(): Readonly<Partial<Record<NoticeKind, number>>> {
    return Object.fromEntries(this.#sinceMs);
  }

  /** Whether a cause came or went since the last call. */
  takeChange(): boolean {
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  /** `atMs`: null while the cause is not there. */
  #note(kind: NoticeKind, atMs: number | null): void {
    if (this.#sinceMs.has(kind) === (atMs !== null)) return;
    this.#hasChanged = true;
    if (atMs === null) this.#sinceMs.delete(kind);
    else this.#sinceMs.set(kind, Math.round(atMs));
  }
}
