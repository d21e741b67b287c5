/** The number of bcrypt rounds in Strapi, unless the attribute sets another. */
export const usualRounds = 10;

/** A password attribute's number of bcrypt rounds: `encryption: { rounds: 12 }` in its options. */
export function passwordRounds({ encryption }: Readonly<Record<string, unknown>>): number {
  const requested =
    typeof encryption === 'object' && encryption !== null && 'rounds' in encryption ? Number(encryption.rounds) : usualRounds;
  return Number.isInteger(requested) && requested >= 4 && requested <= 15 ? requested : usualRounds;
}
