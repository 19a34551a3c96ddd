/**
 * A function of a text that remembers what it answered, as the same few texts
 * come again and again. With `max` texts remembered it begins anew.
 */
export function remembered<Answer>(
  max: number,
  answerTo: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= max) known.clear();
    const answer = answerTo(text);
    known.set(text, answer);
    return answer;
  };
}
