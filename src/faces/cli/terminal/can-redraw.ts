/**
 * Whether lines of a stream can be drawn again. A terminal without a size (`script`, containers, some editors) cannot
 * tell what fits: what is redrawn there would vanish.
 */
export function canRedraw(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && stream.columns > 0 && stream.rows > 0;
}
