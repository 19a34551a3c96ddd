/**
 * A stream that also ends when the service stops, as nobody else would end it.
 * Any other answer is given back as it is.
 */
export function endingOn(stopping: AbortSignal, answer: Response): Response {
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) return answer;
  // Only to look at the body of any other would make a stream of it.
  const { body } = answer;
  if (body === null) return answer;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  stopping.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const letGo = () => stopping.removeEventListener("abort", stop);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      letGo();
    },
    async cancel(reason) {
      letGo();
      await reader.cancel(reason);
    },
  });
  const { status, headers } = answer;
  return new Response(stream, { status, headers });
}
