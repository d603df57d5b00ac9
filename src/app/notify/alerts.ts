import type { HistoryAlert } from '../../history/facts.ts';
import type { NoticeKind } from '../../notify/notice.ts';
import { causedMs, TROUBLES } from '../../notify/troubles.ts';
import type { LiveAlert } from '../../read-model/live/message.ts';
import { conditionsReader, type RunState } from './conditions-of.ts';

/** The troubles in force, as the notifications know them, and who has seen them. */
export class Alerts {
  #state: RunState | null = null;
  readonly #conditions = conditionsReader(() => this.#state as RunState);
  readonly #onChange: (alert: HistoryAlert) => void;
  readonly #inForce = new Map<NoticeKind, HistoryAlert>();
  readonly #seenBy = new Map<NoticeKind, string>();

  /** `onChange` learns of each trouble that begins or ends. Default: nobody does. */
  constructor(onChange: (alert: HistoryAlert) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** The troubles at this state, in order of their weight. A trouble that ends is new when it comes again. `wallMs` is now. */
  at(state: RunState, wallMs: number): readonly LiveAlert[] {
    this.#state = state;
    const conditions = this.#conditions();
    if (conditions === null) return [];
    return TROUBLES.flatMap((trouble) => {
      const { kind, severity, title, begins, isOver } = trouble;
      const text = begins(conditions);
      const lasts = this.#inForce.has(kind) && isOver?.(conditions) === false;
      if (text === null && !lasts) {
        this.#over(kind, wallMs);
        return [];
      }
      if (!this.#inForce.has(kind))
        this.#keep({
          kind,
          severity,
          title,
          text: text ?? '',
          atMs: causedMs(trouble, conditions, wallMs),
          untilMs: null,
        });
      return { kind, severity, title, text: text ?? '', seenBy: this.#seenBy.get(kind) ?? null };
    });
  }

  #keep(alert: HistoryAlert & { readonly kind: NoticeKind }): void {
    this.#inForce.set(alert.kind, alert);
    this.#onChange(alert);
  }

  #over(kind: NoticeKind, wallMs: number): void {
    const alert = this.#inForce.get(kind);
    this.#inForce.delete(kind);
    this.#seenBy.delete(kind);
    if (alert !== undefined) this.#onChange({ ...alert, untilMs: wallMs });
  }

  /** Notes that a person has seen a trouble. Returns false if it is not in force. */
  see(kind: string, by: string): boolean {
    const found = [...this.#inForce.keys()].find((each) => each === kind);
    if (found === undefined) return false;
    this.#seenBy.set(found, by);
    return true;
  }
}
