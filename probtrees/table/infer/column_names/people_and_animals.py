"""What people and animals are called who may have several rows each."""

from __future__ import annotations

import re

PEOPLE = {
    "customer": r"kunden?|kundin|customer|cliente?|debitor|guest|gast|käufer|buyer|klient|klant|"
    r"zákazník|клиент",
    "patient": r"patient(en|in|e)?|paziente|paciente|pat|mrn|fallnummer|pacjent(ka)?|patiënt|"
    r"pasient|pacient|пациент",
    "student": r"stud(ent(en|in)?)?|schüler(in)?|pupil|élève|alumn[oa]|étudiante?|uczeń|leerling|"
    r"alun[oa]|studente(ssa)?|matrikel(nummer)?",
    "participant": r"subject|proband(en|in)?|respondent|participante?|teilnehmer(in)?|vpn?|subj|"
    r"uczestnik|deelnemer|deltagare|deltager|partecipante",
    "member": r"member|mitglieds?|membre|socio|miembro|subscriber|borrower|reader|lid|członek",
    "person": r"pesel|nhs|cpr|cpf|ahv|bsn|curp|tckn|egn|jmbg|oib|снилс|nino|aadhaar|"
    r"person(en)?|user|usuario|utilisateur|nutzer|benutzer|ssn|employee|mitarbeiter",
    "worker": r"worker|arbeiter(in)?|trabajadora?|trabalhadora?|lavora(tore|trice)|pracownik|"
    r"werknemer|salariée?|ouvri(er|ère)|emplead[oa]|dipendente|employée?|medarbejder|anställd",
    "player": r"player|spieler(in)?|joueu(r|se)|jugadora?|jogadora?|giocat(ore|rice)|zawodnik|"
    r"speler|athlete|athlet(in)?|runner|läufer(in)?|spelare",
    "tenant": r"tenant|mieter(in)?|locataire|inquilin[oa]|huurder|lokator|najemca|hyresgäst",
    "animal": r"animal|animale|zwierzę|dier|djur|cow|kuh|vache|vaca|mucca|vacca|krowa|koe|ewe|sow|"
    r"sau|truie|cerda|scrofa|maciora|zeug|calf|kalb|veau|heifer|färse|génisse|bull|stier|horse|pferd|"
    r"cheval|caballo|cavallo|cavalo|koń|paard|häst|goat|ziege|rat|ratte|mouse|maus|souris|dog|hund|"
    r"chien|perro|hond|rabbit|hen|piglet|ferkel",
}
"""Who may have several rows, by a word for them."""
ONE_EACH = re.compile(
    r"kund(e|in)|customer|cliente?|debitor|patient(e|in)?|paziente|paciente|student|subject|proband|"
    r"respondent|participante?|member|mitglied|klient|klant|zákazník|pacjent(ka)?|patiënt|pasient|"
    r"pacient|pupil|élève|alumn[oa]|alun[oa]|étudiante?|uczeń|leerling|uczestnik|deelnemer|"
    r"partecipante|borrower|worker|trabajadora?|trabalhadora?|lavora(tore|trice)|pracownik|"
    r"werknemer|salariée?|emplead[oa]|employée?|player|joueu(r|se)|jugadora?|jogadora?|"
    r"giocat(ore|rice)|zawodnik|speler|athlete|athlet|runner|tenant|locataire|inquilin[oa]|huurder|"
    r"lokator|najemca|animale?|zwierzę|dier|cow|kuh|vache|vaca|mucca|vacca|krowa|koe|ewe|sow|sau|"
    r"truie|cerda|scrofa|maciora|zeug|calf|kalb|veau|heifer|färse|génisse|bull|stier|horse|pferd|"
    r"cheval|caballo|cavallo|cavalo|koń|paard|häst|goat|ziege|rat|ratte|mouse|maus|souris|dog|hund|"
    r"chien|perro|hond|rabbit|hen|piglet"
)
"""Those words that never stand for how many there are, as "Schüler" may."""
