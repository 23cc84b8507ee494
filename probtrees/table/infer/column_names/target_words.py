"""Words in the names of columns that one wants to know, perhaps wants to, or seldom does."""

from __future__ import annotations

import re

TARGETS = re.compile(
    "target|class|label|outcome|diagnos[ie]s|diagnose|surviv(ed|al)|churn(ed)?|died|dead|death|"
    "mortality|readmi(tted|ssion)|fraud|default(ed)?|approved|attrition|exited|converted|response|"
    "result|ill|sick|disease|relapse|recurrence|species|severity|success|fail(ed|ure)|cancer|"
    "malignant|complication|mace|tox|toxg|toxicity|toxizität|toxicité|toxicidad|toxicità|responder|"
    "ansprechen|klasse|ziel|ergebnis|befund|verstorben|krank|gekündigt|kündigung|"
    "abgewandert|storniert|gekauft|erledigt|rückfall|überlebt|wiederaufnahme|résilié|décédé|"
    "(zahlungs|kredit)?ausfall|ausgefallen|zahlungsverzug|storno|tod|gestorben|insolven(t|z)|"
    "betrug|abwanderung|bankrupt(cy)?|insolvent|insolvency|défaut|décès|impago|abandono|"
    "mahnung|reklamation|complaint|returned|retoure|recommend(ed)?|accepted|rejected|delayed|"
    "verspätet|verspätung|verzug|retard|retraso|ritardo|atraso|delay|opóźnienie|wynik|résultat|resultado|"
    "risultato|esito|resultaat|bestanden|durchgefallen|exit|dropout|withdrawn|withdrawal|withdrew|"
    "abbruch|abgebrochen|austritt|ausgetreten|abandon|"
    # Spanish and Portuguese
    "fallecid[oa]s?|fallecimiento|muert[eoa]|mortalidad|mortalidade|éxitus|exitus|falecid[oa]|óbito|"
    "obito|morte|morreu|defectuos[oa]|defeituos[oa]|defeito|reclamo|reclamación|reclamacion|"
    "reclamação|reclamacao|queja|cancel(ado|ada|ou|ó|ación|amento)|inadimpl(ente|ência|encia)|"
    "morosidad|moros[oa]|fraude|avería|averia|avaria|falla|recaída|recaida|reingreso|devolución|"
    "devuelto|evasão|evasao|"
    # Italian and French
    "decedut[oa]|decesso|mortalità|abbandono|disdetta|reclamo|guasto|insoluto|insolvenza|frode|"
    "reso|recidiva|dimissioni|mortalité|résiliation|resiliation|réclamation|impayée?|impayé|panne|"
    "faillite|sinistre|sinistro|siniestro|rechute|récidive|fraudes|"
    # Polish, Czech, Dutch and the Nordic languages
    "zgon|zmarł[aey]?|śmierć|awaria|usterka|reklamacja|rezygnacja|odejście|opóźnienie|opoznienie|"
    "opóźniony|szkoda|nawrót|bankructwo|úmrtí|zemřela?|porucha|zpoždění|overleden|overlijden|sterfte|"
    "storing|defect|klacht|opgezegd|opzegging|vertraging|vertraagd|wanbetaling|huurachterstand|"
    "betalingsachterstand|faillissement|schade|avliden|död|dødsfald|død|försenad|forsinket|"
    "forsinkelse|klagomål|uppsagd|opsagt|konkurs|"
    # German
    "defekt|schadensfall|schaden|störung|beschwerde|zahlungsrückstand|rezidiv|rückgabe"
)
PERHAPS = re.compile(
    "status|event|quality|grade|type|category|rating|decision|risk|won|passed|purchased|bought|"
    "clicked|subscribed|positive|price|cost|income|value|score|loan|cancell?ed"
)
SELDOM = re.compile(
    "sex|gender|age|year|month|day|date|time|hour|weekday|name|city|country|region|state|zip|"
    "postcode|address|remarks?|comments?|notes?|bemerkung(en)?|anmerkung(en)?|kommentare?|notiz(en)?|"
    "remarques?|commentaires?|observaci(ón|ones)|uwagi|nota|opmerking(en)?|group|weight|height|race|ethnicity|id|nr|number|"
    "index|smoker|married|yr|jahr|schuljahr|monat|tag|année|mois|año|anno|rok|quarter|quartal|"
    "semester|trimester|trimestre|wave|welle|vague|prev|previous|previously|prior|former|past|"
    "vorherige?|frühere?|précédente?|antérieure?|anterior|precedente|poprzednia?|geschlecht|sexe|"
    "sexo|sesso|płeć|plec|geslacht|kön|køn|kjønn|alter|âge|edad|età|idade|wiek|leeftijd|ålder|alder|"
    "fumad(or|ora)|fumatore|fumeur|raucher|palacz|roker|rökare|región|région|regione|região|regio|"
    "stadt|ville|ciudad|città|cidade|miasto|plaats|stad|pays|país|paese|kraj"
)
