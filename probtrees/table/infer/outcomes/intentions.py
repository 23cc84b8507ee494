"""Labels of questions about what somebody intends: to leave, to buy, to recommend.

In a survey these are seldom asked for the sake of another question.
"""

from __future__ import annotations

import re

_MEANS_TO = (
    # by language: words of an intention, and what is intended
    (
        r"intend|intends|intention|plan|plans|likely|want|wants",
        r"to (?:leave|quit|resign|drop out|buy|cancel|switch|renew|return|recommend)",
        0,
    ),
    (
        r"beabsichtig\w+|absicht|plan[et]n?|möchten?|wollen|habe vor|erwäg\w+|denke daran",
        r"verlassen|kündig\w+|(?:auf|aus)zuhören|aufzuhören|auszutreten|abzubrechen|wechseln|kaufen|"
        r"weiterempfehlen|zu gehen|verlängern",
        60,
    ),
    (
        r"intention|envisag\w+|compte|souhait\w+|pens\w+|prévo\w+|projet\w+",
        r"quitter|partir|démissionner|abandonner|résilier|acheter|recommander|départ|changer",
        40,
    ),
    (
        r"intención|intenci[oó]n|piens[oa]|planeo|planea|tengo previsto|deseo|desea|quiero",
        r"dejar|abandonar|renunciar|marcharme|irme|comprar|cancelar|recomendar|cambiar",
        40,
    ),
    (
        r"intenção|pretend[oe]|penso|planej[oa]|tenciono|desejo|quero",
        r"sair|deixar|abandonar|demitir\S*|comprar|cancelar|recomendar|mudar",
        40,
    ),
    (
        r"intendo|intende|intenzione|penso|pensa|progetto|vorrei|voglio",
        r"lasciare|abbandonare|andar\w+|dimetter\w+|acquistare|comprare|disdire|consigliare|cambiare",
        40,
    ),
    (
        r"van plan|voornemens|overweeg|overweegt|intentie|wil",
        r"verlaten|vertrekken|te stoppen|op te zeggen|opzeggen|kopen|over te stappen",
        50,
    ),
    (
        r"zamierza\w*|zamiar\w*|planuj[ęe]|chcę|chce|rozważam|rozważa",
        r"odejść|odejścia|opuścić|zrezygnować|zwolnić|kupić|zmienić|polecić",
        50,
    ),
    (
        r"avser|planerar|tänker|funderar|planlegger|planlægger|vurderer|overvejer|agter",
        r"lämna|sluta|säga upp|köpa|byta|rekommendera|slutte|forlate|forlade|kjøpe|købe|bytte|"
        r"si opp|sige op|anbefale",
        40,
    ),
    (
        r"aion|aikoo|aikomus|harkitsen|suunnittelen",
        r"lähteä|irtisanoutua|vaihtaa|ostaa",
        40,
    ),
    (
        r"hodlám|hodlá|plánuji|plánuje|chci|zamýšlím|uvažuji|plánujem|chcem",
        r"odejít|opustit|odstoupit|dát výpověď|koupit|změnit|doporučit|odísť|opustiť|kúpiť",
        40,
    ),
    (
        r"tervez\w*|szándék\w*|fontolgat\w*",
        r"elhagy\w*|kilép\w*|felmond\w*|vásárol\w*",
        50,
    ),
    (
        r"намерен\w*|собира\w+|планиру\w+|хочу|хочет|намір\w*|збира\w+|плану\w+",
        r"уйти|уволиться|покинуть|купить|сменить|рекомендовать|піти|звільнитися|купити|змінити",
        40,
    ),
    (
        r"ayrılmay[ıi]|istifa etmeyi|işten ayrılma|satın almay[ıi]|bırakmay[ıi]",
        r"düşünüyor\w*|planlıyor\w*|niyet\w*",
        40,
    ),
)
_INTENDS = re.compile(
    "|".join(
        rf"\b(?:{means})\b.{{{1 if not far else 0},{far or 1}}}?\b(?:{what})\b"
        for means, what, far in _MEANS_TO
    )
    + r"|\b\w*(?:kündigungs|wechsel|abwanderungs|kauf|austritts|abbruch)absicht\w*\b|"
    r"\b(?:vertrek|koop)intentie\b|\bturnover intention\b|\b(?:purchase|repurchase) intention\b",
    re.I,
)


def says_intention(label: str) -> bool:
    """Whether the label of a question says what somebody intends to do.

    >>> says_intention("I intend to leave my job"), says_intention("Ich plane, zu kündigen.")
    (True, True)
    >>> says_intention("Left the intensive care unit"), says_intention("Plan of the flat")
    (False, False)
    """
    return _INTENDS.search(label) is not None
