/** Does `work` on each item, on at most `atOnce` at the same time. A rejection stops no other item that has begun. */
export async function inParallel<T>(
  items: AsyncIterator<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const some = async () => {
    for (let next = await items.next(); !next.done; next = await items.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, some));
}
