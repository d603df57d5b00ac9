/** The key of the event of a selection. */
export const eventOf = (selectionId: string): string => selectionId.split('|').slice(0, 2).join('|');

/** The key of an event as commands write it. */
export const writtenKey = (key: string): string => key.replace('|', '/');
