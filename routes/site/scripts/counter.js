// Says below a field how many characters are left of its limit, as the service
// counts them. Screen readers are told on focus, and as it comes to its end.
// In a block, since the scripts of a page share their names.
{
  const FEW = 10;

  const follow = (field) => {
    const most = Number(field.dataset.counted);
    const place = document.createElement("p");
    place.className = "quiet";
    place.id = `${field.id}-count`;
    field.after(place);
    const described = field.getAttribute("aria-describedby") ?? "";
    field.setAttribute("aria-describedby", `${described} ${place.id}`.trim());
    const show = () => {
      const left = most - [...field.value.trim().normalize("NFC")].length;
      place.textContent = left < 0
        ? `${-left} too many`
        : `${left} of ${most} characters left`;
      place.classList.toggle("error", left < 0);
      place.setAttribute("aria-live", left < FEW ? "polite" : "off");
    };
    field.addEventListener("input", show);
    show();
  };

  document.querySelectorAll("[data-counted]").forEach(follow);
}
