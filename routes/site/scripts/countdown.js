// Keeps "10 h 43 min" current on a page that stays open. The server wrote it as it
// was when the page was asked for, and says by `data-until` what it leads to.
// In a block, since the scripts of a page share their names.
{
  const MINUTE = 60_000;

  const left = (ms) => {
    const minutes = Math.floor(ms / MINUTE);
    if (minutes < 1) return "less than a minute";
    const hours = Math.floor(minutes / 60);
    return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
  };

  const show = () => {
    for (const place of document.querySelectorAll("[data-until]")) {
      place.textContent = left(Number(place.dataset.until) - Date.now());
    }
  };

  setInterval(show, MINUTE / 4);
  document.addEventListener("visibilitychange", show);
}
