import type { NoticeKind } from '../../notify/notice.ts';
import { TROUBLES } from '../../notify/troubles.ts';
import type { LiveAlert } from '../../read-model/live/message.ts';
import { conditionsReader, type RunState } from '../notify/conditions-of.ts';

/** The troubles in force, as the notifications know them, and who has seen them. */
export class Alerts {
  #state: RunState | null = null;
  readonly #conditions = conditionsReader(() => this.#state as RunState);
  readonly #inForce = new Set<NoticeKind>();
  readonly #seenBy = new Map<NoticeKind, string>();

  /** The troubles at this state, in order of their weight. A trouble that ends is new when it comes again. */
  at(state: RunState): readonly LiveAlert[] {
    this.#state = state;
    const conditions = this.#conditions();
    if (conditions === null) return [];
    return TROUBLES.flatMap(({ kind, severity, title, begins, isOver }) => {
      const text = begins(conditions);
      const lasts = this.#inForce.has(kind) && isOver?.(conditions) === false;
      if (text === null && !lasts) {
        this.#inForce.delete(kind);
        this.#seenBy.delete(kind);
        return [];
      }
      this.#inForce.add(kind);
      return { kind, severity, title, text: text ?? '', seenBy: this.#seenBy.get(kind) ?? null };
    });
  }

  /** Notes that a person has seen a trouble. Returns false if it is not in force. */
  see(kind: string, by: string): boolean {
    const found = [...this.#inForce].find((each) => each === kind);
    if (found === undefined) return false;
    this.#seenBy.set(found, by);
    return true;
  }
}
