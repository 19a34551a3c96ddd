// A page that answers a form is asked for by its address alone from here on.
// Loading it again, or coming back to it, would send the form once more, and
// browsers stop at that with a question, or with a page of their own.
history.replaceState(history.state, "", location.href);
