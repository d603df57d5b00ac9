import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { isSelectionOf } from '../../domain/selection.ts';

interface Sample {
  readonly atMs: number;
  readonly probability: number;
}

/** Samples closer together than this replace one another, so that a busy market costs no more than a quiet one. */
const SPACING_MS = 250;

/** How far the consensus of each selection has moved within a window of time. */
export class DriftWatch {
  readonly #windowMs: number;
  readonly #courses = new Map<SelectionId, readonly Sample[]>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  observe(selectionId: SelectionId, probability: number, nowMs: number): void {
    const kept = this.#recent(selectionId, nowMs);
    const previous = kept.at(-2);
    if (previous !== undefined && nowMs - previous.atMs < SPACING_MS) kept.pop();
    kept.push({ atMs: nowMs, probability });
    this.#courses.set(selectionId, kept);
  }

  /** Largest distance in probability between the consensus now and any within the window; 0 when not known. */
  driftOf(selectionId: SelectionId, nowMs: number): number {
    const recent = this.#recent(selectionId, nowMs);
    const last = recent.at(-1)?.probability ?? 0;
    return recent.reduce((far, { probability }) => Math.max(far, Math.abs(probability - last)), 0);
  }

  forgetEvent(event: EventName): void {
    for (const id of this.#courses.keys()) if (isSelectionOf(event, id)) this.#courses.delete(id);
  }

  #recent(selectionId: SelectionId, nowMs: number): Sample[] {
    const samples = this.#courses.get(selectionId) ?? [];
    return samples.filter(({ atMs }) => nowMs - atMs < this.#windowMs);
  }
}
