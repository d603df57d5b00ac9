/** How far the title of a picture stands from its edges. */
const [TITLE_PX, EDGE_PX] = [28, 8];

export interface Picture {
  readonly title: string;
  readonly font: string;
  /** Colours as a canvas understands them. */
  readonly text: string;
  readonly page: string;
}

/** A chart as a PNG file, with its title over it. Null if the browser makes none. */
export function pngOf(chart: HTMLCanvasElement, { title, font, text, page }: Picture): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const top = TITLE_PX * scale;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width;
  canvas.height = chart.height + top;
  const drawing = canvas.getContext('2d');
  if (drawing === null) return Promise.resolve(null);
  drawing.fillStyle = page;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.drawImage(chart, 0, top);
  drawing.scale(scale, scale);
  drawing.fillStyle = text;
  drawing.font = font;
  drawing.textBaseline = 'middle';
  drawing.fillText(title, EDGE_PX, TITLE_PX / 2);
  const made = Promise.withResolvers<Blob | null>();
  canvas.toBlob(made.resolve);
  return made.promise;
}
