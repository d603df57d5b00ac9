import type { NoticeKind, Severity } from './notice.ts';

const HOUR_MS = 3_600_000;

export interface NoticeLimits {
  /** Of one kind, in any hour. */
  readonly perKind: number;
  /** Of all kinds that wake nobody, in any hour. */
  readonly inTotal: number;
}

/**
 * Bounds the notices of any hour. Pages have only the bound of their kind, so that many unimportant notices cannot hold back one that
 * matters. Instants are monotonic.
 */
export class NoticeLimit {
  readonly #limits: NoticeLimits;
  readonly #passed: { readonly kind: NoticeKind; readonly severity: Severity; readonly atMs: number }[] = [];
  #suppressed: Partial<Record<NoticeKind, number>> = {};

  constructor(limits: NoticeLimits) {
    this.#limits = limits;
  }

  /** Whether a notice may leave now. If so, it counts. */
  takes(
    { kind, severity }: { readonly kind: NoticeKind; readonly severity: Severity },
    nowMs: number,
  ): boolean {
    while (this.#passed[0] !== undefined && nowMs - this.#passed[0].atMs >= HOUR_MS) this.#passed.shift();
    const ofKind = this.#passed.filter((each) => each.kind === kind).length;
    const quiet = this.#passed.filter((each) => each.severity !== 'page').length;
    if (ofKind >= this.#limits.perKind) return false;
    if (severity !== 'page' && quiet >= this.#limits.inTotal) return false;
    this.#passed.push({ kind, severity, atMs: nowMs });
    return true;
  }

  /** Counts a notice that was held back. */
  suppress(kind: NoticeKind): void {
    this.#suppressed[kind] = (this.#suppressed[kind] ?? 0) + 1;
  }

  /** The notices held back since the last call, by kind. */
  takeSuppressed(): Readonly<Partial<Record<NoticeKind, number>>> {
    const suppressed = this.#suppressed;
    this.#suppressed = {};
    return suppressed;
  }
}
